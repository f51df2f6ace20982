import { type supplyView, supplyText, type SupplyForecast } from '#app/domain/supplies/supply.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { pickNamed } from '#app/domain/records/pick-named.ts';
import type { StockView } from '#app/domain/vials/stock-view.ts';
import { NAMED_SUPPLY, type SupplyInput } from '#app/domain/supplies/supply-schema.ts';
import type { Doors } from './door.ts';

/** A supply as programs and people see it. */
export interface ShownSupply {
  view: Omit<ReturnType<typeof supplyView>, 'countedAt' | 'createdAt'>;
  text: string;
}

/** What `vialbook supplies` does. Every method throws what the operation throws. */
export interface SupplyDoor {
  list(): Promise<ShownSupply[]>;
  add(fields: SupplyInput): Promise<ShownSupply>;
  /** @param named name or id */
  change(named: string, changes: object): Promise<ShownSupply>;
  delete(named: string): Promise<void>;
}

type ApiSupply = ShownSupply['view'];

/** @param user the account, when the database is here */
export const supplyDoors = (user: string): Doors<SupplyDoor> => ({
  async here() {
    const [operations, { findOwner }, { supplyView }] = await Promise.all([
      import('#app/features/supplies/index.server.ts'),
      import('#app/platform/access/owner.server.ts'),
      import('#app/domain/supplies/supply.ts'),
    ]);
    return (ctx) => {
      const shown = async (forecasts: readonly SupplyForecast[]): Promise<ShownSupply[]> => {
        const day = calendarDay(ctx.now(), (await findOwner(ctx, user)).timeZone);
        return forecasts.map((one) => ({ view: supplyView(one), text: supplyText(one, day) }));
      };
      const alone = async (forecast: SupplyForecast): Promise<ShownSupply> => {
        const [one] = await shown([forecast]);
        return one as ShownSupply;
      };
      return {
        list: async () => shown(await operations.listSupplies(ctx, user)),
        add: async (fields) => alone(await operations.addSupply(ctx, fields, undefined, user)),
        async change(named, changes) {
          const { supply } = await operations.findSupply(ctx, named, user);
          // The version ensures that received pieces are added only once, to the count this command has read.
          const input = { ...changes, version: supply.version };
          return alone(await operations.updateSupply(ctx, supply.id, input, user));
        },
        async delete(named) {
          const { supply } = await operations.findSupply(ctx, named, user);
          await operations.deleteSupply(ctx, supply.id, user);
        },
      };
    };
  },
  async there() {
    const { call, pathOf } = await import('../server/server-api.ts');
    return (login) => {
      const list = async (): Promise<ShownSupply[]> => {
        const { supplies, details } = await call<StockView>(login, 'GET', '/api/stock');
        const texts = new Map(details.map(({ id, text }) => [id, text]));
        return supplies.map((view) => ({ view, text: texts.get(view.id) ?? '' }));
      };
      const shown = async ({ supply: view }: { supply: ApiSupply }): Promise<ShownSupply> => ({
        view,
        text: (await list()).find((one) => one.view.id === view.id)?.text ?? '',
      });
      const find = async (named: string): Promise<ApiSupply> => {
        const all = (await list()).map(({ view }) => view);
        return pickNamed(all, named, NAMED_SUPPLY);
      };
      return {
        list,
        add: async (fields) => shown(await call(login, 'POST', '/api/supplies', { body: fields })),
        async change(named, changes) {
          const { id, version } = await find(named);
          const body = { ...changes, version };
          return shown(await call(login, 'PUT', pathOf`/api/supplies/${id}`, { body }));
        },
        async delete(named) {
          await call(login, 'DELETE', pathOf`/api/supplies/${(await find(named)).id}`);
        },
      };
    };
  },
});
