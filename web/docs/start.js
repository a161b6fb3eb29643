/** The plugins of the files that follow. Swagger UI is created with them when all are loaded. */
const docsPlugins = [];
Reflect.set(globalThis, 'docsPlugins', docsPlugins);

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
const applyColorScheme = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', applyColorScheme);
applyColorScheme();
document.documentElement.lang = 'en';
