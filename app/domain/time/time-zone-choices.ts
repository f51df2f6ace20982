import { IANAZone } from 'luxon';
import { currentZone, zoneName } from './time-zone.ts';

/** "Buenos Aires": the last part of a zone's name. */
const cityOf = (timeZone: string): string => zoneName(timeZone.split('/').at(-1) ?? '');

/** A zone to choose: its name as people read it, and its place and present offset. */
export interface ZoneChoice {
  /** "America/New York" */
  value: string;
  /** "New York, UTC−05:00" */
  label: string;
}

const offsetText = (timeZone: string, now: Date): string =>
  IANAZone.create(timeZone).formatOffset(now.getTime(), 'short').replace('-', '−');

/** The zones to choose from by their present names, UTC first, each with its offset at an instant. */
export function timeZoneChoices(now: Date): ZoneChoice[] {
  const names = new Set(Intl.supportedValuesOf('timeZone').map(currentZone));
  names.delete('UTC');
  return ['UTC', ...[...names].sort()].map((name) => ({
    value: zoneName(name),
    label: name === 'UTC' ? 'UTC' : `${cityOf(name)}, UTC${offsetText(name, now)}`,
  }));
}
