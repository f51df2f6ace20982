import { Schema } from 'mongoose';
import type { TemplateFacts } from '#app/domain/schedules/schedule-templates.ts';

/** A document of `schedule_templates`: a schedule of somebody, to make others from. */
export interface ScheduleTemplateRow {
  _id: string;
  userId: string;
  /** What its owner calls it. */
  title: string;
  facts: TemplateFacts;
  createdAt: Date;
}

const text = { type: String, required: true } as const;

export const scheduleTemplateSchema = new Schema<ScheduleTemplateRow>(
  {
    _id: text,
    userId: text,
    title: text,
    // Checked as a schedule before it came here, and again when a schedule is made from it.
    facts: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'schedule_templates', minimize: false },
);

scheduleTemplateSchema.index({ userId: 1, createdAt: -1 });
