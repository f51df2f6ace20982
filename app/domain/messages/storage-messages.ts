/** What the encrypted store of a device says. */
export const SEALING_ERRORS = {
  encrypt: 'Failed to encrypt data',
  decrypt: 'Failed to decrypt data - possibly corrupted or wrong key',
} as const;
