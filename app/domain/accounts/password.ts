/** The shortest password accepted; the forms recommend 8 and more. */
export const MIN_PASSWORD_LENGTH = 6;

/** The longest one. Far above any passphrase; it only bounds the work of hashing. */
export const MAX_PASSWORD_LENGTH = 1024;
