import { AppError } from '#app/domain/errors.ts';
import { PRICE_CENTS } from '#app/domain/billing/plan-constants.ts';
import { performAction } from './actions.server.ts';
import type { Delivery } from './delivery.server.ts';
import type { TestCheckout, TestDesk } from './controls.server.ts';
import { catchUp, startSubscription } from './subscription-life.server.ts';
import { portalView } from './portal.server.ts';
import { sceneOf, type Scene } from './context.server.ts';
import type { WorldStore } from './state-file.server.ts';
import { entryOf, type TestSession } from './state.server.ts';

function checkoutView({ id, userId, plan, trialEnd, status, cancelUrl }: TestSession): TestCheckout {
  return {
    id,
    userId,
    plan,
    amountCents: PRICE_CENTS[plan],
    firstChargeAt: trialEnd === null ? null : new Date(trialEnd * 1000),
    isOpen: status === 'open',
    cancelUrl,
  };
}

function known<T>(entry: T | undefined): T {
  if (entry === undefined) throw new AppError('NOT_FOUND', 'There is no such test payment.');
  return entry;
}

/** The till of the test mode, over the same world as the API. */
export function testDesk(store: WorldStore, delivery: Delivery, now: () => Date): TestDesk {
  const step = <T>(run: (scene: Scene) => T): Promise<T> =>
    store.change((world) => {
      const scene = sceneOf(world, now());
      catchUp(scene);
      return run(scene);
    });
  /** A step whose events have arrived when it is done. */
  const stepAndTell = async <T>(run: (scene: Scene) => T): Promise<T> => {
    const result = await step(run);
    await delivery.flush();
    return result;
  };
  return {
    findCheckout: (id) =>
      step(({ world }) => {
        const session = entryOf(world.sessions, id);
        return session === undefined ? null : checkoutView(session);
      }),
    pay: (id) =>
      stepAndTell((scene) => {
        const session = known(entryOf(scene.world.sessions, id));
        known(entryOf(scene.world.customers, session.customer)).card.declines = false;
        if (session.status === 'open') startSubscription(scene, session);
        return session.successUrl.replace('{CHECKOUT_SESSION_ID}', session.id);
      }),
    findPortal: (id) =>
      stepAndTell((scene) => {
        const portal = entryOf(scene.world.portals, id);
        return portal === undefined ? null : portalView(scene, portal);
      }),
    act: (id, action) =>
      stepAndTell((scene) => {
        const portal = known(entryOf(scene.world.portals, id));
        if (!portalView(scene, portal).actions.includes(action))
          throw new AppError('CONFLICT', 'This cannot be done now. Reload the page.');
        performAction(scene, portal.customer, action);
      }),
  };
}
