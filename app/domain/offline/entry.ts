import type { FieldErrors } from '../errors.ts';
import type { OfflineKind } from './offline-schema.ts';
import { siteName } from '#app/domain/tracking/sites.ts';

/** Why an entry was not written. */
export interface Problem {
  code: string;
  message: string;
  /** Messages by field. */
  fields: FieldErrors;
  /** Warnings that the person may say yes to. */
  confirm: string[];
  /** The amount that the yes counts for; see `amountKey`. */
  askedAmount?: string;
}

/** Something that was written down without a connection and waits to be sent. */
export interface OutboxEntry {
  id: string;
  userId: string;
  kind: OfflineKind;
  /** When it was written down, ISO 8601. */
  at: string;
  /** What it is about, for a dose: its name and amount. */
  about: string;
  fields: Record<string, unknown>;
  /** Set when the server refused it: it waits for its owner's decision. */
  problem: Problem | null;
}

/** What the server says about an entry. */
export type Answer =
  | { kind: 'written' }
  | { kind: 'refused'; problem: Problem }
  /** Nobody is signed in there. */
  | { kind: 'signed-out' }
  /** Somebody else is. */
  | { kind: 'other-user' }
  /** No answer, or one that a later try may change. */
  | { kind: 'later' };

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Of a blend, the component that its dose is of. */
const ofComponent = ({ doseOf }: OutboxEntry['fields']): string =>
  text(doseOf) === '' ? '' : ` of ${text(doseOf)}`;

/** An entry in a line: "Taken: BPC-157 250 mcg". */
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
