-- The role of the service and its two databases, for psql as a superuser:
--   DATABASE_PASSWORD=… psql --file deploy/postgresql.sql
-- PostgreSQL's image runs it when its volume is empty.
\set ON_ERROR_STOP on
\getenv password DATABASE_PASSWORD

-- It owns its databases, and nothing else. It needs no other privilege: `unaccent` may be created by an owner.
create role lead_pipeline login password :'password';
create database lead_pipeline owner lead_pipeline template template0 encoding 'UTF8' locale 'C.UTF-8';
create database lead_pipeline_sandbox owner lead_pipeline template template0 encoding 'UTF8' locale 'C.UTF-8';

-- Failed statements have people's data in them. The service logs its failures without.
alter role lead_pipeline set log_min_messages = 'log';

revoke all on database lead_pipeline, lead_pipeline_sandbox from public;
