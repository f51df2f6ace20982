import { AppError } from '#app/domain/errors.ts';
import { lotView, type LotView } from '#app/domain/lots/lot-view.ts';
import { recalledDoseView, type RecalledDoseView } from '#app/domain/lots/recalled-dose.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { compoundView } from '#app/domain/vials/compound-view.ts';
import type { ServerLogin } from '../server/login-file.ts';
import type { Doors } from './door.ts';

/** JSON has instants as text. */
type AsJson<View> = { [Field in keyof View]: View[Field] | (Date extends View[Field] ? string : never) };

/** A vial, with its owner left out: the caller named them. */
type Compound = AsJson<Omit<ReturnType<typeof compoundView>, 'userId'>>;

/** A dose that came from a lot. */
export type LotDose = AsJson<RecalledDoseView>;

/** What is known of the lots with a number. */
export interface FoundLots {
  lots: readonly AsJson<LotView>[];
  /** The vials of all of them, lot after lot. */
  compounds: readonly Compound[];
  /** Latest first. */
  doses: AsyncIterable<readonly LotDose[]>;
  timeZone: string;
  /** Today there. */
  day: string;
}

/** @throws AppError NOT_FOUND if the account never had such a lot */
type FindLots = (idOrNumber: string) => Promise<FoundLots>;

const withoutOwner = <C extends { userId: string }>({ userId: _owner, ...compound }: C) => compound;

/** The lots with a number, as the list of their doses names them. */
interface LotNames {
  lots: { id: string }[];
}

/** @param user the account, when the database is here */
export const lotDoors = (user: string): Doors<FindLots> => ({
  async here() {
    const [{ findOwner }, { allRecalledDoses, findRecall }] = await Promise.all([
      import('#app/platform/access/owner.server.ts'),
      import('#app/features/lots/index.server.ts'),
    ]);
    return (ctx) => async (idOrNumber) => {
      const { id, timeZone } = await findOwner(ctx, user);
      const recall = await findRecall(ctx, id, idOrNumber);
      const day = calendarDay(ctx.now(), timeZone);
      const found = recall.lots.map((lot) => ({
        lot,
        vials: recall.vials.filter(({ lotId }) => lotId === lot.id),
      }));
      async function* doses() {
        for await (const batch of allRecalledDoses(ctx, id, recall)) yield batch.map(recalledDoseView);
      }
      return {
        ...{ timeZone, day, doses: doses() },
        lots: found.map(({ lot, vials }) => lotView(lot, vials)),
        compounds: found.flatMap(({ vials }) => vials.map((vial) => withoutOwner(compoundView(vial, day)))),
      };
    };
  },
  async there() {
    const { allPages, call, pages, pathOf } = await import('../server/server-api.ts');
    const readLots = async (login: ServerLogin, names: LotNames) =>
      Promise.all(
        names.lots.map(async ({ id }) => {
          const { lot } = await call<{ lot: AsJson<LotView> }>(login, 'GET', pathOf`/api/lots/${id}`);
          return lot;
        }),
      );
    return (login) => async (idOrNumber) => {
      const path = pathOf`/api/lots/${idOrNumber}/doses`;
      const lots = await readLots(login, await call<LotNames>(login, 'GET', path, { query: { limit: 1 } }));
      const [all, { user: account }] = await Promise.all([
        allPages<Compound & { id: string; userId: string }>(login, '/api/compounds', 'compounds'),
        call<{ user: { timeZone: string } }>(login, 'GET', '/api/profile'),
      ]);
      const byId = new Map(all.map((compound) => [compound.id, withoutOwner(compound)]));
      const vialOf = ({ id }: { id: string }): Compound => {
        const found = byId.get(id);
        if (found !== undefined) return found;
        throw new AppError('NOT_FOUND', 'A vial of the lot was just deleted. Try again.');
      };
      return {
        ...{ lots, timeZone: account.timeZone, day: calendarDay(new Date(), account.timeZone) },
        compounds: lots.flatMap(({ vials }) => vials.map(vialOf)),
        doses: pages<LotDose>(login, path, 'doses'),
      };
    };
  },
});
