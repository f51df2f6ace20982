import { trusted, type Connection } from 'mongoose';
import { directed, type Direction } from './keyset.server.ts';
import { modelOf } from './model-of.server.ts';
import { userSchema, type UserRow } from './user.model.server.ts';
import { toUserRecord, WITHOUT_SECRET, type UserRecord } from './user.server.ts';

/** The fields in whose order accounts can be read; the id parts those that share a value. */
export type UserListField =
  'createdAt' | 'email' | 'emailDomain' | 'lastSeenAt' | 'trialEndsAt' | 'suspendedAt';

/** One unbroken piece of an index of accounts. */
export interface UserPath {
  /** What all of its accounts share. */
  where: Partial<Pick<UserRow, 'role' | 'billingStatus'>>;
  by: UserListField;
  direction: Direction;
  /** The lowest value, and the first that is too high. */
  from?: Date | string | undefined;
  below?: Date | string | undefined;
}

/** Where on a path an account stands. */
export interface UserPlace {
  value: Date | string;
  id: string;
}

type Filter = Record<string, unknown>;

/** The bounds of a path, with the place in place of the bound that it is beyond. */
function bounds({ from, below }: UserPath, beyond: { $gt?: unknown; $lt?: unknown }): Filter | null {
  const filter = {
    ...(from !== undefined && beyond.$gt === undefined ? { $gte: from } : {}),
    ...(below !== undefined && beyond.$lt === undefined ? { $lt: below } : {}),
    ...beyond,
  };
  return Object.keys(filter).length === 0 ? null : trusted(filter);
}

/** What to ask one after the other: the accounts that share the place's value, then those beyond it. */
function filters(path: UserPath, place: UserPlace | null, upwards: boolean): Filter[] {
  const { where, by } = path;
  const operator = upwards ? '$gt' : '$lt';
  const range = bounds(path, place === null ? {} : { [operator]: place.value });
  const rest = range === null ? { ...where } : { ...where, [by]: range };
  if (place === null) return [rest];
  return [{ ...where, [by]: place.value, _id: trusted({ [operator]: place.id }) }, rest];
}

/** Accounts of everybody, for the lists of the admin area. */
export function createUserListRepository(connection: Connection) {
  const model = modelOf<UserRow>(connection, 'User', userSchema);
  return {
    /** Accounts along a path from a place on, which is not among them; backwards those before it, the nearest first. */
    async read(
      path: UserPath,
      place: UserPlace | null,
      { backwards, limit }: { backwards: boolean; limit: number },
    ): Promise<UserRecord[]> {
      const upwards = (path.direction === 1) !== backwards;
      const sort = directed(
        [
          [path.by, path.direction],
          ['_id', path.direction],
        ],
        backwards,
      );
      const found: UserRecord[] = [];
      for (const filter of filters(path, place, upwards)) {
        if (found.length === limit) break;
        const rows = await model
          .find(filter, WITHOUT_SECRET)
          .sort(sort)
          .limit(limit - found.length)
          .lean();
        found.push(...rows.map(toUserRecord));
      }
      return found;
    },

    /** The addresses of accounts that are still there, by id. */
    async findEmails(ids: readonly string[]): Promise<Map<string, string>> {
      const rows = await model.find({ _id: trusted({ $in: [...new Set(ids)] }) }, { email: 1 }).lean();
      return new Map(rows.map(({ _id, email }) => [_id, email]));
    },
  };
}
