import { Schema } from 'mongoose';

/** A document of `role_holders`: who holds a role that must never be without a holder. One document a role. */
export interface RoleHoldersRow {
  _id: 'super_admin';
  userIds: string[];
}

export const roleHoldersSchema = new Schema<RoleHoldersRow>(
  { _id: { type: String, required: true }, userIds: { type: [String], required: true } },
  { collection: 'role_holders' },
);
