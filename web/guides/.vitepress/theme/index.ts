import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { ServiceState } from './service-state.ts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'doc-before': () => h(ServiceState),
      'nav-bar-content-after': otherPages,
      'nav-screen-content-after': otherPages,
    }),
};

/** VitePress takes the links of its own menu for pages of its own. */
function otherPages() {
  const link = (href: string, text: string) => h('a', { href, target: '_self' }, text);
  const links = [link('/docs/', 'Docs'), link('/dashboard/', 'Pipeline')];
  return h('nav', { class: 'other-pages', 'aria-label': 'Other pages' }, links);
}

export default theme;
