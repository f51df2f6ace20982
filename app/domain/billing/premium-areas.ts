/** The parts of the dashboard that only premium accounts may open (specification, section 2; decisions, section 2). */
export const PREMIUM_AREAS = ['tracking', 'schedule', 'reminders', 'analytics', 'vendors'] as const;

/** True for the first path segment below `/dashboard` of a premium area. */
export function isPremiumArea(segment: string): boolean {
  return PREMIUM_AREAS.some((area) => area === segment);
}
