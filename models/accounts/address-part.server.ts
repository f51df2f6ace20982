import { Schema, trusted, type Connection } from 'mongoose';
import { isDemoAddress } from '#app/domain/accounts/account.ts';
import { upperBound } from '#app/domain/admin/user-search.ts';
import { modelOf } from '../store/model-of.server.ts';
import { directed, readRanges } from '../store/queries.server.ts';

/** A document of `address_parts`: the end of an account's address from one of its characters on. */
export interface AddressPartRow {
  /** The owner, and from which character on. */
  _id: string;
  userId: string;
  part: string;
}

const addressPartSchema = new Schema<AddressPartRow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    part: { type: String, required: true },
  },
  { collection: 'address_parts' },
);

addressPartSchema.index({ userId: 1 });
// For the search of the admin area.
addressPartSchema.index({ part: 1, _id: 1 });

/** Before a text with which an address goes on in a second place: an account counts once, however often it matches. */
const AGAIN = '\0';

/** How many characters of two texts are the same from their beginning on. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/**
 * What makes an address searchable: a text in it is the beginning of one of its parts. Demos have none.
 * @param email in its stored form
 */
export function addressParts(userId: string, email: string): AddressPartRow[] {
  if (isDemoAddress(email)) return [];
  const ends = Array.from({ length: email.length }, (_, from) => email.slice(from));
  return ends.flatMap((part, from) => {
    const again = Math.max(0, ...ends.slice(0, from).map((earlier) => sharedLength(part, earlier)));
    const row = { _id: `${userId}:${from}`, userId, part };
    if (again === 0) return [row];
    return [row, { _id: `${userId}:${from}:again`, userId, part: AGAIN + part.slice(0, again) }];
  });
}

/** Whether a part is where a text occurs in an address for the first time. */
export const isFirstPart = (part: string, email: string, text: string): boolean =>
  email.indexOf(text) === email.length - part.length;

/** The part of an account's address that begins with a search text. */
export type FoundPart = Pick<AddressPartRow, 'userId' | 'part'> & { id: string };

/** The parts of addresses, in step with them. */
export function createAddressPartRepository(connection: Connection) {
  const model = modelOf<AddressPartRow>(connection, 'AddressPart', addressPartSchema);
  const beginning = (text: string) => trusted({ $gte: text, $lt: upperBound(text) });
  const count = (text: string) => model.countDocuments({ part: beginning(text) });
  return {
    /** For a new account. */
    async add(userId: string, email: string): Promise<void> {
      await model.insertMany(addressParts(userId, email), { lean: true });
    },

    /** For accounts whose addresses have changed, in the same transaction. */
    async replace(owners: readonly { userId: string; email: string }[]): Promise<void> {
      for (const { userId } of owners) await model.deleteMany({ userId });
      await model.insertMany(
        owners.flatMap(({ userId, email }) => addressParts(userId, email)),
        { lean: true },
      );
    },

    /** Parts that begin with a text, after a place (exclusive); backwards those before it, nearest first. */
    async list(
      text: string,
      place: { value: string; id: string } | null,
      { backwards, limit }: { backwards: boolean; limit: number },
    ): Promise<FoundPart[]> {
      const [beyond, bound] = backwards ? (['$lt', '$gte'] as const) : (['$gt', '$lt'] as const);
      const bounds = { $gte: text, $lt: upperBound(text) };
      const filters: Record<string, unknown>[] =
        place === null
          ? [{ part: trusted(bounds) }]
          : [
              { part: place.value, _id: trusted({ [beyond]: place.id }) },
              { part: trusted({ [bound]: bounds[bound], [beyond]: place.value }) },
            ];
      const sort = directed(
        [
          ['part', 1],
          ['_id', 1],
        ],
        backwards,
      );
      const rows = await readRanges(filters, limit, async (filter, most) =>
        model.find(filter).sort(sort).limit(most).lean(),
      );
      return rows.map(({ _id, userId, part }) => ({ id: _id, userId, part }));
    },

    /** How many accounts have an address with a text in it. */
    count: async (text: string): Promise<number> => (await count(text)) - (await count(AGAIN + text)),
  };
}
