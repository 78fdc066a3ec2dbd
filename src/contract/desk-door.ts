import { defineEndpoint, success } from './endpoint.ts'

/**
 * Opens the door: the answer brings a cookie with which the Worker serves the desk's page and scripts. In a file of its
 * own, because the settings knock at it: the other calls of the desk are in scripts that only operators load.
 */
export const openDeskEndpoint = defineEndpoint({
  id: 'openDesk',
  method: 'POST',
  path: '/api/desk/door',
  access: 'session',
  success: success({}),
  errors: ['FACTOR_REQUIRED', 'STEP_UP_REQUIRED'],
})
