/** Said wherever a password is chosen. */
export const PASSWORD_HINT = 'At least 6 characters; 8 or more are better, and a few words are best.';
