import type { FeedEvent } from '#app/domain/schedules/calendar-events.ts';
import { MINUTE_MS, SECOND_MS } from '#app/domain/time/calendar.ts';

interface CalendarFacts {
  events: readonly FeedEvent[];
  /** Makes the ids of events unique. */
  host: string;
  /** The owner's zone, for programs that show a calendar in its own. The events are instants and need none. */
  timeZone: string;
}

/** A calendar as a file (RFC 5545). The same events give the same bytes. */
export async function calendarFile({ events, host, timeZone }: CalendarFacts): Promise<string> {
  const {
    default: ical,
    ICalAlarmType,
    ICalEventStatus,
    ICalEventTransparency,
  } = await import('ical-generator');
  const calendar = ical({
    name: 'Vialbook',
    prodId: { company: 'Vialbook', product: 'Doses', language: 'EN' },
    ttl: 3600,
    x: [{ key: 'X-WR-TIMEZONE', value: timeZone }],
  });
  for (const { id, start, end, stamp, summary, description, isCancelled, alarmMinutes } of events) {
    const event = calendar.createEvent({ id: `${id}@${host}`, start, end, stamp, summary, description });
    if (isCancelled) {
      event.status(ICalEventStatus.CANCELLED);
      event.transparency(ICalEventTransparency.TRANSPARENT);
    }
    if (alarmMinutes !== null)
      event.createAlarm({
        type: ICalAlarmType.display,
        triggerBefore: (alarmMinutes * MINUTE_MS) / SECOND_MS,
        description: summary,
      });
  }
  return calendar.toString();
}
