export { browserName } from './browser-name.ts';
export { DELETION_HOURS, deletionTime, isGone } from './deletion.ts';
export { isAdminRole, ROLES, type Role } from './roles.ts';
export { MAX_EMAIL_LENGTH, normaliseEmail } from './email.ts';
export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.ts';
export {
  MAX_PERSON_NAME_LENGTH,
  MEASUREMENT_UNITS,
  PREFERRED_DOSE_UNITS,
  type MeasurementUnits,
  type PreferredDoseUnit,
  type Profile,
} from './profile.ts';
export { isRecentSignIn, RECENT_SIGN_IN_MINUTES } from './recent-sign-in.ts';
