import { Schema } from 'mongoose';

/** The only document of `admin_figures`: the figures of the overview as they were last counted. */
export interface AdminFiguresRow {
  _id: string;
  at: Date;
  totalUsers: number;
  premiumUsers: number;
  freeUsers: number;
  /** US dollars. */
  monthlyRevenue: number;
  activeUsers: number;
}

const figure = { type: Number, required: true } as const;

export const adminFiguresSchema = new Schema<AdminFiguresRow>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    totalUsers: figure,
    premiumUsers: figure,
    freeUsers: figure,
    monthlyRevenue: figure,
    activeUsers: figure,
  },
  { collection: 'admin_figures' },
);
