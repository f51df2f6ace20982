import type { FieldErrors } from '../errors.ts';
import type { OfflineKind } from './offline-schema.ts';
import { siteName } from '#app/domain/tracking/sites.ts';

/** Why the server refused an entry. */
export interface Problem {
  code: string;
  message: string;
  /** Messages by field. */
  fields: FieldErrors;
  /** Codes of the warnings that the user may confirm. */
  confirm: string[];
  /** The amount that a confirmation is valid for; see `amountKey`. */
  askedAmount?: string;
}

/** Something that was logged offline and is waiting to be sent. */
export interface OutboxEntry {
  id: string;
  userId: string;
  kind: OfflineKind;
  /** When it was logged, ISO 8601. */
  at: string;
  /** For a dose, its name and amount. */
  about: string;
  fields: Record<string, unknown>;
  /** Set when the server refused it; the owner then decides what to do. */
  problem: Problem | null;
}

/** The server's answer to an entry. */
export type Answer =
  | { kind: 'written' }
  | { kind: 'refused'; problem: Problem }
  /** Nobody is signed in. */
  | { kind: 'signed-out' }
  /** Someone else is signed in. */
  | { kind: 'other-user' }
  /** No answer, or a temporary failure: worth another try later. */
  | { kind: 'later' };

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** For a blend, the component that the dose is of. */
const ofComponent = ({ doseOf }: OutboxEntry['fields']): string =>
  text(doseOf) === '' ? '' : ` of ${text(doseOf)}`;

/** An entry as one line: "Taken: BPC-157 250 mcg". */
export function describeEntry({
  kind,
  about,
  fields,
}: Pick<OutboxEntry, 'kind' | 'about' | 'fields'>): string {
  if (kind === 'calculation') return `Calculation: ${about}`;
  if (kind === 'dose-taken' || kind === 'dose-as-needed') return `Taken: ${about}`;
  if (kind === 'dose-logged')
    return `Taken: ${text(fields['name'])} ${text(fields['actualDose'])} ${text(fields['doseUnit'])}${ofComponent(fields)}`;
  if (kind === 'dose-skipped') return `Skipped: ${about}`;
  if (kind === 'site') return `Injection site: ${siteName(text(fields['site']))}`;
  return `Side effect: ${text(fields['name'])}, severity ${text(fields['severity'])} of 5`;
}
