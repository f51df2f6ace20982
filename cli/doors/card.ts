import type { DoseCard } from '#app/domain/calculator/dose-card.ts';
import type { SyringePicture } from '#app/domain/calculator/draw-words.ts';
import { doubleText } from '#app/domain/decimal/decimal.ts';
import type { Doors } from './door.ts';

/** A vial's card, and the address of the vial's page. @throws AppError NOT_FOUND */
type FindCard = (id: string) => Promise<{ card: DoseCard; link: string }>;

/** A filled syringe as the API answers with it: its measures are numbers. */
type ApiPicture = Omit<SyringePicture, 'mark' | 'syringe'> & {
  mark: number;
  syringe: Omit<SyringePicture['syringe'], 'barrelMl' | 'marks'> & {
    barrelMl: number;
    marks: readonly [number, ...number[]];
  };
};

const pictureOf = ({ syringe, mark, ...filled }: ApiPicture): SyringePicture => {
  const [usual, ...others] = syringe.marks;
  const marks = [doubleText(usual), ...others.map(doubleText)] as const;
  return {
    ...filled,
    mark: doubleText(mark),
    syringe: { ...syringe, barrelMl: doubleText(syringe.barrelMl), marks },
  };
};

/** @param user the account, when the database is here */
export const cardDoors = (user: string | undefined): Doors<FindCard> => ({
  async here() {
    const { getVialCard } = await import('#app/features/vials/index.server.ts');
    return (ctx) => (id) => getVialCard(ctx, id, user);
  },
  async there() {
    const { call, pathOf } = await import('../server/server-api.ts');
    return (login) => async (id) => {
      const path = pathOf`/api/compounds/${id}/card`;
      type Found = { card: Omit<DoseCard, 'picture'> & { picture: ApiPicture | null }; link: string };
      const { card, link } = await call<Found>(login, 'GET', path);
      return { card: { ...card, picture: card.picture && pictureOf(card.picture) }, link };
    };
  },
});
