import type { Doors } from './door.ts';

/** What a move changes. */
export interface Moves {
  name: string;
  doses: readonly { from: Date; to: Date }[];
  tooCloseTo: Date | null;
}

interface Input {
  dueDate: string;
  scope: 'this' | 'following';
}

/** Moves a dose, or with `isPreview` only says what would move. Throws what the operation throws. */
export interface MoveDoor {
  move(id: string, input: Input, isPreview: boolean): Promise<Moves>;
  timeZone(): Promise<string>;
}

interface ApiMoves {
  dose: { name: string };
  moves: { from: string; to: string }[];
  tooCloseTo: string | null;
}

/** @param user the account, when the database is here */
export const moveDoors = (user: string): Doors<MoveDoor> => ({
  async here() {
    const [{ moveDose, previewMove }, { getUserByEmail }] = await Promise.all([
      import('#app/features/schedules/index.server.ts'),
      import('#app/platform/access/owner.server.ts'),
    ]);
    return (ctx) => ({
      async move(id, input, isPreview) {
        const { dose, doses, tooCloseTo } = await previewMove(ctx, id, input, user);
        if (!isPreview) await moveDose(ctx, id, input, user);
        return { name: dose.name, doses, tooCloseTo };
      },
      timeZone: async () => (await getUserByEmail(ctx, user)).timeZone,
    });
  },
  async there() {
    const { call, pathOf } = await import('../server/server-api.ts');
    return (login) => ({
      async move(id, input, preview) {
        const path = pathOf`/api/schedules/doses/${id}/move`;
        const { dose, moves, tooCloseTo } = await call<ApiMoves>(login, 'PATCH', path, {
          body: { ...input, preview },
        });
        return {
          name: dose.name,
          doses: moves.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) })),
          tooCloseTo: tooCloseTo === null ? null : new Date(tooCloseTo),
        };
      },
      timeZone: async () =>
        (await call<{ user: { timeZone: string } }>(login, 'GET', '/api/profile')).user.timeZone,
    });
  },
});
