/** For https://localhost and https://127.0.0.1, signed by itself, good for a hundred years. Of no use elsewhere. */
export const certificate = ``;

export const privateKey = ``;
