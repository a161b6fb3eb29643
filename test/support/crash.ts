/** For a child process: throws an uncaught error when the test says so. */
process.on('SIGUSR2', () => {
  throw new Error('a mistake');
});
