-- The service's role and its two databases. Run this with psql as a superuser:
--   DATABASE_PASSWORD=… psql --file deploy/postgresql.sql
-- PostgreSQL's image runs it if its volume is empty. A service with ENVIRONMENTS=production does not use the sandbox's database.
\set ON_ERROR_STOP on
\getenv password DATABASE_PASSWORD

-- The role owns its databases, and nothing else. It needs no other privilege: a database's owner may create `unaccent`.
create role lead_pipeline login password :'password';
create database lead_pipeline owner lead_pipeline template template0 encoding 'UTF8' locale 'C.UTF-8';
create database lead_pipeline_sandbox owner lead_pipeline template template0 encoding 'UTF8' locale 'C.UTF-8';

-- Failed statements contain people's data. The service logs its own errors without it.
alter role lead_pipeline set log_min_messages = 'log';

revoke all on database lead_pipeline, lead_pipeline_sandbox from public;
