/** True for a name of the IANA time zone database that this runtime knows. Offsets such as "+02:00" are no zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The zones to choose from, UTC first, then by name. `current` is among them also when it is an alias. */
export function timeZoneNames(current: string): string[] {
  const names = new Set(Intl.supportedValuesOf('timeZone'));
  names.add(current);
  names.delete('UTC');
  return ['UTC', ...[...names].sort()];
}

/** A zone as people read it: "America/New York". */
export const zoneName = (timeZone: string): string => timeZone.replaceAll('_', ' ');
