/** Which of several items is visible, and whether the rotation advances automatically. */
export interface Rotation {
  readonly index: number
  readonly count: number
  /** Whether it advances automatically. Any choice by the user sets this to false. */
  readonly isAuto: boolean
}

/** Starts at the first of `count` items. */
export function startRotation(count: number, isAuto: boolean): Rotation {
  return { index: 0, count, isAuto }
}

/** The automatic step; the first item follows the last. Changes nothing after the user has chosen. */
export function advance(rotation: Rotation): Rotation {
  return rotation.isAuto
    ? { ...rotation, index: wrap(rotation.index + 1, rotation.count) }
    : rotation
}

/** A choice by the user. Any whole number is valid and wraps around. */
export function choose(rotation: Rotation, index: number): Rotation {
  return { ...rotation, index: wrap(index, rotation.count), isAuto: false }
}

/** Stays at its item and no longer advances automatically. */
export function stop(rotation: Rotation): Rotation {
  return { ...rotation, isAuto: false }
}

function wrap(index: number, count: number): number {
  return ((index % count) + count) % count
}
