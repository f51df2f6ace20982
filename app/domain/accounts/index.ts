export { isAdminRole, ROLES, type Role } from './roles.ts';
export { MAX_EMAIL_LENGTH, normaliseEmail } from './email.ts';
export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password.ts';
