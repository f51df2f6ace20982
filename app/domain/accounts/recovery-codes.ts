/** How many recovery codes an account is given at a time. */
export const RECOVERY_CODES = 10;

/** Bytes behind one code: 80 bits, above what can be guessed even without a throttle. */
export const RECOVERY_CODE_BYTES = 10;

/** Crockford's base 32: thirty-two signs, none of which is read for another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LENGTH = 16;

function signs(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group, 2)]).join('');
}

/** A code as it is shown and printed: four groups of four. */
export function formatRecoveryCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}

/**
 * New recovery codes, each once, in their stored form (sixteen signs). Shown once, kept as hashes.
 * @param random `RECOVERY_CODES * RECOVERY_CODE_BYTES` random bytes
 */
export function recoveryCodes(random: Uint8Array): string[] {
  if (random.length !== RECOVERY_CODES * RECOVERY_CODE_BYTES)
    throw new RangeError('wrong number of random bytes');
  return Array.from({ length: RECOVERY_CODES }, (_, index) =>
    signs(random.subarray(index * RECOVERY_CODE_BYTES, (index + 1) * RECOVERY_CODE_BYTES)),
  );
}

/** A code as somebody typed it, in its stored form, with the usual slips mended (O is 0; I and L are 1). Null when it cannot be one. */
export function parseRecoveryCode(text: string): string | null {
  if (text.length > 64) return null;
  const code = text.replace(/[\s-]/g, '').toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
  return code.length === LENGTH && [...code].every((sign) => ALPHABET.includes(sign)) ? code : null;
}
