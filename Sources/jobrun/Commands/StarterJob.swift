/// What `jobrun init` writes. A test holds that it validates, also with its comments made code.
enum StarterJob {
  static let text = """
    # A job for jobrun: sessions say how to talk, tasks say what to move.
    #
    #   jobrun validate FILE    checks it
    #   jobrun plan FILE        says what a run would do now
    #   jobrun FILE             runs it; start it again as often as you like
    #
    # 'jobrun schema > job.schema.json' writes a schema that editors understand.
    version: 1

    # Where the files go: relative to this file.
    root: downloads

    vars:
      host: https://example.org

    # Text that must not be shown. It is read when a task that needs it starts.
    # secrets:
    #   token: { env: PUBLISH_TOKEN }

    sessions:
      web:
        timeout_for_request: 30s # the longest silence
        max_connections_per_host: 6
        retry: { attempts: 5 }

    tasks:
      # Fetched once; after that a run only asks whether it changed.
      - id: page
        session: web
        download: ${vars.host}/index.html
        to: index.html

      # With a checksum no wrong file ever stands under the name.
      # - id: tool
      #   session: web
      #   download: ${vars.host}/tool-1.2.tar.gz
      #   to: tools/
      #   checksum: sha256:0000000000000000000000000000000000000000000000000000000000000000

      # One task for each value: disc[1], disc[2], disc[3].
      # - id: disc
      #   session: web
      #   download: ${vars.host}/disc-${matrix.n}.iso
      #   to: discs/
      #   matrix: { n: [1, 2, 3] }

      # An upload that waits for a download.
      # - id: publish
      #   session: web
      #   after: [page]
      #   upload: index.html
      #   to: https://drop.example.org/${run.date}/index.html
      #   headers: { X-Token: "${secrets.token}" }

    """
}
