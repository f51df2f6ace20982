import type { FeedEvent } from '#app/domain/schedules/calendar-events.ts';

/** A calendar as a file (RFC 5545). The same events give the same bytes. */
export async function calendarFile(events: readonly FeedEvent[], host: string): Promise<string> {
  const { default: ical } = await import('ical-generator');
  const calendar = ical({
    name: 'Vialbook',
    prodId: { company: 'Vialbook', product: 'Doses', language: 'EN' },
    ttl: 3600,
  });
  for (const { id, start, end, stamp, summary, description } of events)
    calendar.createEvent({ id: `${id}@${host}`, start, end, stamp, summary, description });
  return calendar.toString();
}
