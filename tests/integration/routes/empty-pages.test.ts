import { expect, it } from 'vitest';
import { elements, visibleText } from '#tests/support/html.ts';
import { useWeb } from './web.ts';

const web = useWeb();

/** Pages of a new account, and the one thing to press on each: a link, or the form above what is still empty. */
const PAGES: readonly [at: string, title: string, press: RegExp][] = [
  ['/dashboard/schedule', 'No schedule yet', /href="\/dashboard\/schedule\/new"[^>]*>Create a schedule/],
  ['/dashboard/schedule/all', 'No schedules yet', /href="\/dashboard\/schedule\/new"[^>]*>New schedule/],
  ['/dashboard/schedule/calendar', 'No doses this month.', /href="\/dashboard\/schedule\/new"/],
  ['/dashboard/schedule/adherence', 'No doses in this period', /href="\/dashboard\/schedule"[^>]*>Back/],
  ['/dashboard/vials', 'No vials yet', /href="\/dashboard\/vials\/new"[^>]*>Add your first vial/],
  ['/dashboard/lots', 'No lots yet', /href="\/dashboard\/lots\/new"[^>]*>Add a lot/],
  ['/dashboard/supplies', 'No supplies yet', /href="\/dashboard\/supplies\/new"[^>]*>Add a supply/],
  ['/dashboard/tracking', 'No injections yet', /<form[^>]*method="post"/],
  ['/dashboard/tracking/side-effects', 'No side effects logged', />Log a side effect</],
  ['/dashboard/tracking/nutrition', 'No days logged', />Add this day</],
  ['/dashboard/tracking/health', 'No measurements yet', />Save measurements</],
  ['/dashboard/calculator?history=1', 'No calculations yet', /href="[^"]*#calculator"[^>]*>Start one/],
  ['/dashboard/analytics', 'Nothing to show yet', /href="\/dashboard\/schedule"[^>]*>Go to the schedule/],
  ['/dashboard/vendors', 'No suppliers yet', /href="\/dashboard\/vendors\/suppliers\/new"/],
  ['/dashboard/vendors/orders', 'No orders yet', /href="\/dashboard\/vendors\/orders\/new"/],
  ['/dashboard/vendors/prices', 'Nothing to compare yet', />Go to suppliers</],
  ['/dashboard/reminders', 'No reminders yet', />Notification settings</],
];

it('each empty page says what will be here, draws it, and offers the first action', async () => {
  const client = await web.registered({ trial: true });
  for (const [at, title, press] of PAGES) {
    const { status, body } = await client.get(at);
    const main = /<main[\s\S]*<\/main>/.exec(body)?.[0] ?? '';
    expect(status, at).toBe(200);
    expect(visibleText(main), at).toContain(title);
    expect(main, at).toMatch(press);
    expect(elements(body, 'meta[name="description"]'), at).toHaveLength(1);
    // The calendar shows its days, empty as they are.
    expect(main, at).toMatch(/class="drawing"|class="calendar /);
  }
});
