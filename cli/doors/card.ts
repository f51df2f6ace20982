import type { DoseCard } from '#app/domain/calculator/dose-card.ts';
import type { Doors } from './door.ts';

/** A vial's card, and the address of the vial's page. @throws AppError NOT_FOUND */
type FindCard = (id: string) => Promise<{ card: DoseCard; link: string }>;

/** @param user the account, when the database is here */
export const cardDoors = (user: string | undefined): Doors<FindCard> => ({
  async here() {
    const { getVialCard } = await import('#app/features/vials/index.server.ts');
    return (ctx) => (id) => getVialCard(ctx, id, user);
  },
  async there() {
    const { call, pathOf } = await import('../server/server-api.ts');
    return (login) => (id) => call(login, 'GET', pathOf`/api/compounds/${id}/card`);
  },
});
