import { describe, expect, inject, it } from 'vitest';
import type { Page } from 'playwright-core';
import { WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook.ts';
import { registerProgram } from '#app/features/accounts/program-connections.server.ts';
import { declineProposal, propose } from '#app/features/proposals/proposals.server.ts';
import { setNtfyTopic } from '#app/features/reminders/ntfy.server.ts';
import { sendTestEvent } from '#app/features/webhooks/webhook-deliveries.server.ts';
import { createWebhook } from '#app/features/webhooks/webhooks.server.ts';
import { contextAs, type Actor, type Ctx } from '#app/platform/access/context.server.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { openPage, PHONE, problemsInEveryView } from '#tests/support/browser.ts';
import { saveCalculation, signUp } from './journey.ts';

/** Pages of visitors, in all the states that look different. */
const OUTSIDE = [
  '/',
  '/?demo=1',
  '/calculator',
  '/calculator?peptideAmount=100&waterVolume=0.5&desiredDose=2.5',
  '/calculator?peptideAmount=x&waterVolume=11&desiredDose=-1',
  '/calculator?dialog=research-dosages',
  '/calculator/card?components=BPC-157:5;TB-500:10&waterVolume=2&desiredDose=1.9&syringe=u100-0.3ml',
  '/calculator/card?peptideAmount=x&waterVolume=11&desiredDose=-1',
  '/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25&recommendations=1&reference=Tirzepatide',
  '/calculator/ladder',
  '/calculator/ladder?peptideAmount=7&dose=0.31&dose=1.13&dose=1.13&dose=x&capacityMl=1',
  '/calculator/ladder?peptideAmount=30&dose=2.5&dose=5&dose=7.5&syringe=u40-1ml',
  '/calculator/ladder?peptideAmount=7&dose=0.31&dose=1.13&capacityMl=1',
  '/login',
  '/login?notice=suspended',
  '/register?plan=trial',
  '/forgot-password',
  '/sources',
  '/terms',
  '/privacy',
  '/nowhere',
];

/** Pages of signed-in users. */
const INSIDE = [
  '/dashboard',
  '/dashboard/calculator?peptideAmount=0.1&waterVolume=10&desiredDose=0.05&history=1',
  '/dashboard/calculator?peptideAmount=5&waterVolume=2&desiredDose=0.25&mode=save',
  '/dashboard/calculator?history=1&search=no%20such%20name',
  '/dashboard/calculator/ladder?peptideAmount=30&dose=2.5&dose=5',
  '/dashboard/calculator/plan?peptideAmount=30&waterVolume=1.8&dose=2.5&dose=5',
  '/dashboard/export',
  '/dashboard/export/print?types=calculations&includeMetadata=1',
  '/dashboard/tracking',
  '/dashboard/profile',
  '/dashboard/ceilings',
  '/dashboard/profile/access-log',
  '/dashboard/profile/delete',
  '/dashboard/profile/developer',
  '/dashboard/profile/email',
  '/dashboard/profile/notifications',
  '/dashboard/profile/password',
  '/dashboard/profile/second-factor',
  '/dashboard/profile/security',
  '/dashboard/profile/tokens',
  '/dashboard/profile/tokens/new',
  '/dashboard/profile/units',
  '/dashboard/profile/webhooks',
  '/dashboard/profile/your-data',
  '/dashboard/proposals',
  '/dashboard/referrals',
  '/dashboard/nowhere',
  '/upgrade',
];

/** A name as long as one may be, without a place to break. */
const LONG_NAME = 'N'.repeat(100);

async function problemsOf(page: Page, at: string): Promise<string[]> {
  const response = await page.goto(at);
  expect(response?.status(), at).toBeLessThan(500);
  return (await problemsInEveryView(page)).map((problem) => `${at}: ${problem}`);
}

describe('every page, at both widths, in light and dark', () => {
  it('for visitors fits its window and passes axe', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    const found: string[] = [];
    for (const at of OUTSIDE) found.push(...(await problemsOf(page, at)));
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('for users fits its window and passes axe', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    await signUp(context);
    await saveCalculation(context, LONG_NAME, `${LONG_NAME}\n${'Notes of several words. '.repeat(8)}`);
    await saveCalculation(context, 'BPC-157');
    const found: string[] = [];
    for (const at of INSIDE) found.push(...(await problemsOf(page, at)));
    await page.goto('/dashboard/calculator?history=1');
    const deletion = await page
      .getByRole('link', { name: new RegExp(`^Delete ${LONG_NAME}`) })
      .getAttribute('href');
    found.push(...(await problemsOf(page, deletion ?? '')));
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** Webhooks with deliveries that failed, an ntfy topic, and proposals that wait and were answered, and a program that asks for a connection. @returns a webhook's id, and where it asks */
async function withOtherPrograms(ctx: Ctx): Promise<{ id: string; consent: string }> {
  // Nothing listens there.
  const url = `http://127.0.0.1:9/${LONG_NAME}`;
  const { webhook } = await createWebhook(ctx, { url, events: [...WEBHOOK_EVENTS] });
  await sendTestEvent(ctx, webhook.id);
  await setNtfyTopic(ctx, { url: 'http://127.0.0.1:9/topic' });
  const program = contextAs(ctx, { ...ctx.actor, apiToken: { id: 'token', scope: 'write' } } as Actor);
  const suggest = async (id: string, body: Record<string, unknown>) => {
    const operation = OPERATIONS.find((one) => one.id === id) ?? expect.unreachable(`no call ${id}`);
    return propose(program, () => OPERATIONS, operation, { params: {}, query: {}, body });
  };
  const { id } = await suggest('addSupplier', { name: 'Answered' });
  await declineProposal(ctx, () => OPERATIONS, id);
  await suggest('addSupplier', { name: LONG_NAME, notes: `${LONG_NAME} ${'Several words. '.repeat(8)}` });
  await suggest('logDose', { name: 'BPC-157', actualDose: '0.25', notes: 'after breakfast' });
  const redirect = `https://${'n'.repeat(60)}.example.org/back`;
  const { client_id: clientId } = await registerProgram(ctx, {
    client_name: LONG_NAME,
    redirect_uris: [redirect],
  });
  const request = new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: redirect },
    ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256', scope: 'read write' },
  });
  return { id: webhook.id, consent: `/connect?${request}` };
}

describe('the pages for other programs, at both widths, in light and dark', () => {
  it('fit their window and pass axe', async () => {
    const { context, page, problems } = await openPage({ scripts: true, ...PHONE });
    const email = await signUp(context, { trial: true });
    const { id, consent } = await asSomeone(inject('serverDataDir'), email, withOtherPrograms);
    const webhooks = '/dashboard/profile/webhooks';
    const found: string[] = [];
    for (const at of [
      webhooks,
      `${webhooks}/new`,
      `${webhooks}/${id}`,
      `${webhooks}/${id}/edit`,
      `${webhooks}/${id}/secret`,
      `${webhooks}/${id}/delete`,
      '/dashboard/profile/notifications',
      '/dashboard/profile/notifications/ntfy',
      '/connect',
      consent,
      '/dashboard/proposals',
    ])
      found.push(...(await problemsOf(page, at)));
    expect(await page.locator('main').innerText()).toContain('0.25 mg');
    expect(found).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe.each([true, false])('on a phone, scripts %s', (scripts) => {
  it('the first input is on the first screen', async () => {
    const { context, page } = await openPage({ scripts, ...PHONE });
    const bottomOfFirstInput = async (at: string) => {
      await page.goto(at);
      const box = await page.locator('[name=peptideAmount]').boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    for (const at of ['/', '/calculator'])
      expect(await bottomOfFirstInput(at), at).toBeLessThan(PHONE.height);
    await signUp(context);
    // The bar at the bottom covers its part of the screen.
    const bar = 72;
    for (const at of ['/dashboard', '/dashboard/calculator'])
      expect(await bottomOfFirstInput(at), at).toBeLessThan(PHONE.height - bar);
    await context.close();
  });

  it('the three fields and Calculate are above the fold', async () => {
    const { context, page } = await openPage({ scripts, ...PHONE });
    await page.goto('/calculator');
    const box = await page.getByRole('button', { name: 'Calculate', exact: true }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(PHONE.height);
    await context.close();
  });
});

describe('a page that is loaded', () => {
  it.each([{ moves: true }, { moves: false }])(
    'replaces the last one with a transition, unless reduced motion is set, and can be used at once; $moves',
    async ({ moves }) => {
      const { context, page, problems } = await openPage({ scripts: true, moves, ...PHONE });
      await context.addInitScript(() => {
        addEventListener('pagereveal', ({ viewTransition }) => {
          Object.assign(window, { isSoft: viewTransition !== null });
        });
      });
      await page.goto('/login');
      await page.evaluate(() => location.assign('/register'));
      await page.waitForURL('**/register');
      await page.waitForFunction(() => 'isSoft' in window);
      expect(await page.evaluate(() => (window as unknown as { isSoft: boolean }).isSoft)).toBe(moves);
      await context.close();

      const plain = await openPage({ scripts: false, moves, ...PHONE });
      await plain.page.goto('/');
      for (const at of ['/calculator', '/login', '/register']) {
        await plain.page.locator(`a[href="${at}"]:visible`).first().click();
        await plain.page.waitForURL(`**${at}`);
      }
      expect([...problems, ...plain.problems]).toEqual([]);
      await plain.context.close();
    },
  );
});
