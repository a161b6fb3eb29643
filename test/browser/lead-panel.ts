import type { Locator } from 'playwright-core';
import type { components } from '../../generated/api.ts';
import type { Dashboard } from './dashboard-page.ts';

export type Lead = components['schemas']['Lead'];

/** A lead's panel on the pipeline page. */
export class LeadPanel {
  readonly #dashboard: Dashboard;
  readonly element: Locator;

  constructor(dashboard: Dashboard) {
    this.#dashboard = dashboard;
    this.element = dashboard.page.locator('#lead');
  }

  /** Opens the panel by the address. */
  async open({ id, name }: Lead): Promise<void> {
    await this.#dashboard.page.evaluate(`location.hash = '${id}'`);
    await this.element.getByRole('heading', { name, exact: true }).waitFor();
    await this.element.locator('dl').waitFor();
  }

  /** What stands beside this name. */
  detail(name: string): Locator {
    return this.element.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd');
  }
}
