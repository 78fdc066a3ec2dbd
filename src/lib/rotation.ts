/** Which of several things is shown, and whether the next one comes by itself. */
export interface Rotation {
  readonly index: number
  readonly count: number
  /** Whether it goes on by itself; any choice by hand ends that. */
  readonly isAuto: boolean
}

/** Begins at the first of `count` things. */
export function startRotation(count: number, isAuto: boolean): Rotation {
  return { index: 0, count, isAuto }
}

/** The step that comes by itself: after the last comes the first. Nothing once somebody has chosen. */
export function advance(rotation: Rotation): Rotation {
  return rotation.isAuto
    ? { ...rotation, index: wrap(rotation.index + 1, rotation.count) }
    : rotation
}

/** A choice by hand: any whole number, counted round the ends. */
export function choose(rotation: Rotation, index: number): Rotation {
  return { ...rotation, index: wrap(index, rotation.count), isAuto: false }
}

/** Any other control was used: it stays where it is and no longer goes on by itself. */
export function stop(rotation: Rotation): Rotation {
  return { ...rotation, isAuto: false }
}

function wrap(index: number, count: number): number {
  return ((index % count) + count) % count
}
