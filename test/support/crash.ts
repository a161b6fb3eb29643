/** For a child process: a mistake that nobody catches, at the test's word. */
process.on('SIGUSR2', () => {
  throw new Error('a mistake');
});
