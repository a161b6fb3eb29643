import type { Handlers } from '../operation.ts';
import { getAnalyticsActivity } from './get-analytics-activity.ts';
import { getAnalyticsBreakdown } from './get-analytics-breakdown.ts';
import { getAnalyticsContent } from './get-analytics-content.ts';
import { getAnalyticsForecast } from './get-analytics-forecast.ts';
import { getAnalyticsFunnel } from './get-analytics-funnel.ts';
import { getAnalyticsLostReasons } from './get-analytics-lost-reasons.ts';
import { getAnalyticsPipeline } from './get-analytics-pipeline.ts';
import { getAnalyticsSources } from './get-analytics-sources.ts';
import { getAnalyticsSummary } from './get-analytics-summary.ts';
import { getAnalyticsTimeInStatus } from './get-analytics-time-in-status.ts';
import { getAnalyticsTimeseries } from './get-analytics-timeseries.ts';
import { getAnalyticsUsers } from './get-analytics-users.ts';

export const analyticsHandlers = {
  getAnalyticsBreakdown,
  getAnalyticsActivity,
  getAnalyticsContent,
  getAnalyticsForecast,
  getAnalyticsFunnel,
  getAnalyticsLostReasons,
  getAnalyticsPipeline,
  getAnalyticsSources,
  getAnalyticsSummary,
  getAnalyticsTimeInStatus,
  getAnalyticsTimeseries,
  getAnalyticsUsers,
} satisfies Partial<Handlers>;
