# docker build -t yardmaster .
# docker run --read-only --tmpfs /tmp -p 3000:3000 -v yardmaster:/data yardmaster
FROM oven/bun:1.4.5 AS build
WORKDIR /src
COPY . .
RUN bun run build

FROM debian:12-slim
RUN useradd --system --uid 10001 --home /data yardmaster && install -d -o yardmaster -m 0700 /data
COPY --from=build /src/dist/yardmaster /usr/local/bin/yardmaster
USER yardmaster
VOLUME /data
ENV DATA_DIR=/data HOST=0.0.0.0 PORT=3000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s CMD ["yardmaster", "health"]
ENTRYPOINT ["yardmaster"]
CMD ["serve"]
