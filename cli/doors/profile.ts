import type { Profile } from '#app/domain/accounts/profile.ts';
import type { OwnSyringe } from '#app/domain/calculator/calculation.ts';
import { doubleText } from '#app/domain/decimal/decimal.ts';
import type { Doors } from './door.ts';

/** Reads or, with changes, changes the profile. Throws what the operation throws. */
type ProfileDoor = (changes: object | null) => Promise<Profile>;

/** A syringe of one's own as the API answers with it. */
type ApiSyringe = Pick<OwnSyringe, 'id' | 'name'> & {
  barrelMl: number;
  unitsPerMl: number | null;
  mark: number;
};

/** A profile as the API answers with it. */
type ApiProfile = Omit<Profile, 'deadSpaceMl' | 'syringes'> & {
  deadSpaceMl: number;
  syringes: readonly ApiSyringe[];
};

const syringeOf = ({ barrelMl, unitsPerMl, mark, ...own }: ApiSyringe): OwnSyringe => ({
  ...own,
  barrelMl: doubleText(barrelMl),
  unitsPerMl: unitsPerMl === null ? null : doubleText(unitsPerMl),
  mark: doubleText(mark),
});

/** @param user the account, when the database is here */
export const profileDoors = (user: string): Doors<ProfileDoor> => ({
  async here() {
    const { changeProfile, getAccount } = await import('#app/features/accounts/index.server.ts');
    return (ctx) => (changes) =>
      changes === null ? getAccount(ctx, user) : changeProfile(ctx, changes, user);
  },
  async there() {
    const { call } = await import('../server/server-api.ts');
    return (login) => async (changes) => {
      const request = changes === null ? undefined : { body: changes };
      const method = changes === null ? 'GET' : 'PUT';
      const { user: account } = await call<{ user: ApiProfile }>(login, method, '/api/profile', request);
      const { deadSpaceMl, syringes } = account;
      return { ...account, deadSpaceMl: doubleText(deadSpaceMl), syringes: syringes.map(syringeOf) };
    };
  },
});
