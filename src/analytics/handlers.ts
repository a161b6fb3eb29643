import type { Handlers } from '../operation.ts';
import { getAnalyticsActivity } from './get-analytics-activity.ts';
import { getAnalyticsBreakdown } from './get-analytics-breakdown.ts';
import { getAnalyticsForecast } from './get-analytics-forecast.ts';
import { getAnalyticsFunnel } from './get-analytics-funnel.ts';
import { getAnalyticsPipeline } from './get-analytics-pipeline.ts';
import { getAnalyticsSummary } from './get-analytics-summary.ts';
import { getAnalyticsTimeInStatus } from './get-analytics-time-in-status.ts';
import { getAnalyticsTimeseries } from './get-analytics-timeseries.ts';

export const analyticsHandlers = {
  getAnalyticsBreakdown,
  getAnalyticsActivity,
  getAnalyticsForecast,
  getAnalyticsFunnel,
  getAnalyticsPipeline,
  getAnalyticsSummary,
  getAnalyticsTimeInStatus,
  getAnalyticsTimeseries,
} satisfies Partial<Handlers>;
