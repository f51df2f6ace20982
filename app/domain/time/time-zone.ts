/** True for a name of the IANA time zone database that this runtime knows. Offsets such as "+02:00" are no zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Names that the time zone database has replaced, and runtimes still use: what CLDR gives as `iana` beside its own name.
 * Source: `backward` of the IANA database and `common/bcp47/timezone.xml` of CLDR 48.
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** A zone by its present name; one that was never renamed, or whose new name this runtime does not know, as it is. */
export function currentZone(timeZone: string): string {
  const name = RENAMED[timeZone];
  return name !== undefined && isTimeZone(name) ? name : timeZone;
}

/** A zone as people read it, by its present name: "America/New York", "Asia/Kolkata" also where "Asia/Calcutta" is stored. */
export const zoneName = (timeZone: string): string => currentZone(timeZone).replaceAll('_', ' ');

/**
 * The zone that somebody typed: its name in any spelling, an earlier name, or its city alone.
 * @returns its IANA name; null when there is none, or when several places are called so
 */
export function readTimeZone(typed: string): string | null {
  const wanted = typed.trim().replace(/\s+/g, '_').toLowerCase();
  const names = [...Object.keys(RENAMED), ...Intl.supportedValuesOf('timeZone').map(currentZone), 'UTC'];
  const exact = names.find((name) => name.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  const named = names.filter((name) => name.toLowerCase().endsWith(`/${wanted}`)).map(currentZone);
  const [only = null, ...more] = new Set(named);
  if (only !== null && more.length === 0) return only;
  return isTimeZone(typed) ? typed : null;
}
