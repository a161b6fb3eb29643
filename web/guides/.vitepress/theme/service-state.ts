import { useRoute } from 'vitepress';
import { defineComponent, h, onMounted, onUnmounted, ref } from 'vue';

const PERIOD = 10_000;

interface Place {
  environment: string;
  url: string;
  state: 'Ready' | 'Unavailable' | 'Unknown';
}

/** On the first page: the addresses of the service, and whether each environment is ready, while the page is visible. */
export const ServiceState = defineComponent(() => {
  const route = useRoute();
  const places = ref<Place[]>([]);
  const message = ref('');
  const check = async () => {
    if (document.hidden) return;
    ({ places: places.value, message: message.value } = await ask());
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  onMounted(() => {
    void check();
    timer = setInterval(check, PERIOD);
    document.addEventListener('visibilitychange', check);
  });
  onUnmounted(() => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  });
  return () => {
    if (!/^\/guides\/(?:index(?:\.html)?)?$/.test(route.path)) return undefined;
    const row = ({ environment, url, state }: Place) =>
      h('tr', [
        h('th', { scope: 'row' }, environment),
        h('td', h('code', url)),
        h('td', { class: state }, state),
      ]);
    return h('section', { class: 'vp-doc service-state', 'aria-label': 'State of the service' }, [
      h('p', { role: 'status' }, message.value),
      h('table', { tabindex: 0 }, h('tbody', places.value.map(row))),
    ]);
  };
});

/** The addresses, once they are known. */
let known: Record<string, string> = {};

async function ask(): Promise<{ places: Place[]; message: string }> {
  try {
    const headers = { Accept: 'application/json' };
    known = (await (await fetch('/', { headers })).json()).base_urls;
    const response = await fetch('/readyz', { cache: 'no-store' });
    const body = await response.json();
    const [first] = Object.keys(known);
    const states = { ...body, [`${first}`]: response.ok ? 'ok' : 'unavailable' };
    return { places: placesOf(states), message: response.ok ? '' : body.message };
  } catch {
    const [first] = Object.keys(known);
    return { places: placesOf({ [`${first}`]: 'unavailable' }), message: 'The service does not answer.' };
  }
}

function placesOf(states: Record<string, string>): Place[] {
  return Object.entries(known).map(([name, url]) => ({
    environment: name.charAt(0).toUpperCase() + name.slice(1),
    url,
    state: states[name] === 'ok' ? 'Ready' : states[name] === undefined ? 'Unknown' : 'Unavailable',
  }));
}
