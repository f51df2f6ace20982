import type { Connection } from 'mongoose';
import type { Migration } from './migration.ts';

const PIECE = 1000;

/** What people named themselves in entries of earlier versions, and the days of a report. */
const PRIVATE = ['name', 'compound', 'start', 'end'];
const UNSET = Object.fromEntries(
  PRIVATE.flatMap((field) => [`before.${field}`, `after.${field}`]).map((path) => [path, '' as const]),
);
const ACTIONS = ['api-token.create', 'api-token.revoke', 'report-share.create', 'report-share.revoke'];

async function step(connection: Connection, cursor: string | null) {
  const audit = connection.collection<{ _id: string }>('audit');
  const rows = await audit
    .find({ ...(cursor === null ? {} : { _id: { $gt: cursor } }), action: { $in: ACTIONS } })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ _id: 1 })
    .limit(PIECE)
    .toArray();
  const last = rows.at(-1);
  if (last === undefined) return null;
  const { modifiedCount } = await audit.updateMany(
    { _id: { $in: rows.map(({ _id }) => _id) } },
    { $unset: UNSET },
  );
  return { cursor: last._id, changed: modifiedCount };
}

/** Administrators read the audit trail, and it outlives an account: it holds ids, and nothing that somebody typed. */
export const auditNames: Migration = {
  id: '2026-11-22-audit-names',
  description: 'Names of tokens and compounds are taken out of the audit trail.',
  step,
};
