/** True for a name of the IANA time zone database that this runtime knows. Offsets such as "+02:00" are no zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A zone as people read it: "America/New York". */
export const zoneName = (timeZone: string): string => timeZone.replaceAll('_', ' ');
