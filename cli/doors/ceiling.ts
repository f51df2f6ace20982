import type { DoseUnit } from '#app/domain/calculator/calculation.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { Doors } from './door.ts';

/** The most of a compound, as decimal text in its unit. */
export interface Ceiling {
  name: string;
  unit: DoseUnit;
  perDose: string | null;
  perDay: string | null;
  per7Days: string | null;
}

type Limits = Partial<Omit<Ceiling, 'name'>>;

/** What `vialbook ceiling` does. Every method throws what the operation throws. */
export interface CeilingDoor {
  list(): Promise<readonly Ceiling[]>;
  /** @returns null when the compound has no ceilings left */
  set(name: string, limits: Limits): Promise<Ceiling | null>;
}

type ApiCeiling = Omit<Ceiling, 'perDose' | 'perDay' | 'per7Days'> &
  Record<'perDose' | 'perDay' | 'per7Days', number | null>;

const textOf = (number: number | null): string | null =>
  number === null ? null : new Decimal(number).toFixed();

const ceilingOf = ({ name, unit, perDose, perDay, per7Days }: ApiCeiling): Ceiling => ({
  ...{ name, unit },
  ...{ perDose: textOf(perDose), perDay: textOf(perDay), per7Days: textOf(per7Days) },
});

/** @param user the account, when the database is here */
export const ceilingDoors = (user: string): Doors<CeilingDoor> => ({
  async here() {
    const { listCeilings, setCeiling } = await import('#app/features/amounts/index.server.ts');
    return (ctx) => ({
      list: () => listCeilings(ctx, user),
      set: (name, limits) => setCeiling(ctx, { name, ...limits }, user),
    });
  },
  async there() {
    const { allPages, call } = await import('../server/server-api.ts');
    return (login) => ({
      list: async () => (await allPages<ApiCeiling>(login, '/api/ceilings', 'ceilings')).map(ceilingOf),
      async set(name, limits) {
        const { ceiling } = await call<{ ceiling: ApiCeiling | null }>(login, 'PUT', '/api/ceilings', {
          body: { name, ...limits },
        });
        return ceiling === null ? null : ceilingOf(ceiling);
      },
    });
  },
});
