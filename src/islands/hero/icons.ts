/** The paths of the icons of the films' buttons, in a box of 20 by 20. */
export const ICONS = {
  play: 'M6 4.5v11l9-5.5z',
  pause: 'M6.5 4.5v11M13.5 4.5v11',
  previous: 'M12 4.5 6.5 10l5.5 5.5',
  next: 'm8 4.5 5.5 5.5L8 15.5',
  muted: 'M3.5 8v4h3l4 3.5v-11L6.5 8zM13.5 8l4 4m0-4-4 4',
  loud: 'M3.5 8v4h3l4 3.5v-11L6.5 8zM13.5 7.5a3.5 3.5 0 0 1 0 5M15.5 5.5a6.5 6.5 0 0 1 0 9',
  captions: 'M2.5 5h15v10h-15zM5.5 11.5h4M12 11.5h2.5',
} as const
