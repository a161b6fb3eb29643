# syntax=docker/dockerfile:1

# Any Debian image with Node 24.21 or newer and npm. For releases, pin it by digest.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# `--omit=optional` leaves out the embedded PostgreSQL. None of the other packages needs an install script.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE} AS pages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY README.md CHANGELOG.md tsconfig.json ./
COPY docs docs
COPY generated/public generated/public
COPY web web
RUN node web/build.ts

FROM ${NODE_IMAGE}
# tini is the first process: it forwards signals and reaps zombie processes.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log \
  # npm is not needed at run time.
  && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-*

WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json CHANGELOG.md LICENSE ./
COPY bin bin
# Agents read the guides.
COPY docs docs
COPY generated generated
COPY src src
COPY --from=pages /app/web web
# The operator's commands: `docker exec … lead-pipeline --help`.
RUN ln -s /app/bin/lead-pipeline /usr/local/bin/lead-pipeline

# 0.0.0.0 also requires TRUST_PROXY, or TLS_CERT_FILE and TLS_KEY_FILE.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000

USER 1000:1000

ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Lead Pipeline API" \
  org.opencontainers.image.description="A contract-first REST API for a sales team's leads, contacts, content and analytics" \
  org.opencontainers.image.version=$VERSION \
  org.opencontainers.image.revision=$REVISION \
  org.opencontainers.image.licenses=MIT

EXPOSE 3000
STOPSIGNAL SIGTERM
# Checks the process, not the database: a new container would not help if the database is down.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 CMD ["node", "src/healthcheck.ts"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=8", "--max-old-space-size=1024", "src/server.ts"]
