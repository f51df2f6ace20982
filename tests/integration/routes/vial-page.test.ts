import { beforeAll, describe, expect, it } from 'vitest';
import { createSchedule } from '#app/features/schedules/schedules.server.ts';
import { addVial } from '#app/features/vials/vials.server.ts';
import { screenOf, visibleText } from '#tests/support/html.ts';
import { asSomeone } from '#tests/support/someone.ts';
import { laterToday } from '#tests/support/schedules.ts';
import type { WebClient } from './web-client.ts';
import { useWeb } from './web.ts';

const web = useWeb();
const today = new Date().toISOString().slice(0, 10);

describe('the page of a vial', () => {
  let client: WebClient & { email: string };
  let pathOf: Record<'planned' | 'sealed', string>;

  beforeAll(async () => {
    client = await web.user({ trial: true });
    await asSomeone(web.dataDir, client.email, async (ctx) => {
      const planned = await addVial(ctx, {
        ...{ name: 'BPC-157', amountMg: '5', waterMl: '2', reconstitutionDate: today },
      });
      const sealed = await addVial(ctx, { name: 'TB-500', amountMg: '5' });
      await createSchedule(ctx, {
        ...{ name: 'bpc-157', doseAmount: '250', doseUnit: 'mcg', frequency: { kind: 'daily' } },
        ...{ timeZone: 'UTC', startDate: today, times: [laterToday()] },
      });
      pathOf = {
        planned: `/dashboard/vials/${planned.id}`,
        sealed: `/dashboard/vials/${sealed.id}`,
      };
    });
  });

  it('says what to draw for the planned dose, and leads to logging one', async () => {
    const { body } = await client.get(pathOf.planned);
    const screen = screenOf(body);
    expect(screen.getByRole('textbox', { name: /^Dose/ }).getAttribute('value')).toBe('250');
    expect(visibleText(body)).toMatch(/10 units\s*0\.1 ml/);
    expect(screen.getByRole('link', { name: 'Log a dose' }).getAttribute('href')).toBe(
      '/dashboard/schedule/log?name=BPC-157',
    );
  });

  it('of something without a plan asks for the dose, and begins with reconstituting it', async () => {
    const { body } = await client.get(pathOf.sealed);
    const screen = screenOf(body);
    expect(screen.getByRole('textbox', { name: /^Dose/ }).getAttribute('value')).toBe('');
    expect(screen.queryByRole('link', { name: 'Log a dose' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Reconstitute' })).toBeDefined();
  });

  it('takes another dose from its address instead', async () => {
    const { body } = await client.get(`${pathOf.planned}?dose=500&unit=mcg`);
    expect(visibleText(body)).toMatch(/20 units/);
  });
});
