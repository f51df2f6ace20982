import type { Profile } from '#app/domain/accounts/profile.ts';
import { Decimal } from '#app/domain/decimal/decimal.ts';
import type { Doors } from './door.ts';

/** Reads or, with changes, changes the profile. Throws what the operation throws. */
type ProfileDoor = (changes: object | null) => Promise<Profile>;

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
      const { user: account } = await call<{ user: Omit<Profile, 'deadSpaceMl'> & { deadSpaceMl: number } }>(
        login,
        method,
        '/api/profile',
        request,
      );
      return { ...account, deadSpaceMl: new Decimal(account.deadSpaceMl).toFixed() };
    };
  },
});
