import { describe, expect, it } from 'vitest';
import {
  DEFAULT_NOTIFICATION_CHOICES,
  LEAD_MINUTES,
  MISSED_AFTER_HOURS,
  notificationChangesSchema,
  notificationFormSchema,
} from '#app/domain/reminders/notification-choices.ts';

const NUMBERS = { missedAfterHours: 24, leadDefault: 15 };

describe('the default notification settings', () => {
  it('are valid, as a whole and as a change', () => {
    expect(notificationFormSchema.parse(DEFAULT_NOTIFICATION_CHOICES)).toEqual(DEFAULT_NOTIFICATION_CHOICES);
    expect(notificationChangesSchema.parse(DEFAULT_NOTIFICATION_CHOICES)).toEqual(
      DEFAULT_NOTIFICATION_CHOICES,
    );
  });

  it('mark a dose as missed after 24 hours and send no mails', () => {
    expect(DEFAULT_NOTIFICATION_CHOICES).toMatchObject({ missedAfterHours: 24, email: false });
  });
});

describe('the notification form', () => {
  it('treats an absent checkbox as off', () => {
    const { missedAfterHours, leadDefault, quietFrom, quietTo, ...boxes } =
      notificationFormSchema.parse(NUMBERS);
    expect([missedAfterHours, leadDefault, quietFrom, quietTo]).toEqual([24, 15, null, null]);
    expect(new Set(Object.values(boxes))).toEqual(new Set([false]));
  });

  it.each([
    ['missedAfterHours', MISSED_AFTER_HOURS.min],
    ['missedAfterHours', MISSED_AFTER_HOURS.max],
    ['leadDefault', LEAD_MINUTES.min],
    ['leadDefault', LEAD_MINUTES.max],
  ])('accepts %s %d', (name, value) => {
    expect(notificationFormSchema.parse({ ...NUMBERS, [name]: value })).toMatchObject({ [name]: value });
  });

  it.each([
    ['missedAfterHours', MISSED_AFTER_HOURS.min - 1],
    ['missedAfterHours', MISSED_AFTER_HOURS.max + 1],
    ['missedAfterHours', undefined],
    ['leadDefault', LEAD_MINUTES.min - 1],
    ['leadDefault', LEAD_MINUTES.max + 1],
    ['leadDefault', 0.5],
    ['leadDefault', Infinity],
    ['leadDefault', '15 minutes'],
    ['escalateAfterMinutes', 121],
    ['escalateAfterMinutes', -1],
    ['quietTo', '07:00', 'quietFrom'],
    ['quietFrom', '22:00', 'quietTo'],
    ['quietFrom', '24:00'],
  ])('refuses %s %j at its field', (name, value, refused = name) => {
    const { error } = notificationFormSchema.safeParse({ ...NUMBERS, [name]: value });
    expect(error?.issues.map(({ path }) => path.join('.'))).toContain(refused);
  });
});

describe('a change of the notification settings', () => {
  it('contains only what changes', () => {
    expect(notificationChangesSchema.parse({ discreet: true })).toEqual({ discreet: true });
    expect(notificationChangesSchema.parse({})).toEqual({});
  });

  it.each([{ discreet: 'yes' }, { push: null }, { leadDefault: '15' }, { email: ['on'] }])(
    'refuses %j',
    (change) => {
      expect(notificationChangesSchema.safeParse(change).success).toBe(false);
    },
  );
});
