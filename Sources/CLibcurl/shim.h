// libcurl's variadic calls, one typed function for each kind of argument: Swift can't call
// variadics.
#include <curl/curl.h>

static inline CURLcode jobrun_setopt_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode jobrun_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode jobrun_setopt_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode jobrun_setopt_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode jobrun_setopt_list(CURL *handle, CURLoption option,
                                          struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}
// Write, header and read callbacks have one type.
static inline CURLcode jobrun_setopt_data_callback(CURL *handle, CURLoption option,
                                                   curl_write_callback value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode jobrun_setopt_seek_callback(CURL *handle, curl_seek_callback value) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}
static inline CURLcode jobrun_setopt_debug_callback(CURL *handle, curl_debug_callback value) {
  return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, value);
}
static inline CURLcode jobrun_setopt_progress_callback(CURL *handle,
                                                       curl_xferinfo_callback value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}
static inline CURLcode jobrun_setopt_sockopt_callback(CURL *handle, curl_sockopt_callback value) {
  return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, value);
}
static inline CURLcode jobrun_setopt_prereq_callback(CURL *handle, curl_prereq_callback value) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode jobrun_getinfo_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode jobrun_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode jobrun_getinfo_string(CURL *handle, CURLINFO info, const char **value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode jobrun_getinfo_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}
static inline CURLMcode jobrun_multi_setopt_long(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}
static inline CURLSHcode jobrun_share_setopt_long(CURLSH *handle, CURLSHoption option, long value) {
  return curl_share_setopt(handle, option, value);
}

// The public suffix list of libpsl, which libcurl refuses cookies by. libcurl brings the library
// along; its header need not be there. All null where libcurl was built without it.
#include <dlfcn.h>
typedef struct {
  void *list;
  const char *(*registrable)(const void *list, const char *domain);
  int (*is_suffix)(const void *list, const char *domain);
  void (*release)(void *list);
} jobrun_suffixes;

static inline jobrun_suffixes jobrun_load_suffixes(void) {
  // The first argument is RTLD_DEFAULT.
  void *(*latest)(const char *) = (void *(*)(const char *))dlsym(NULL, "psl_latest");
  void *(*builtin)(void) = (void *(*)(void))dlsym(NULL, "psl_builtin");
  jobrun_suffixes found = {
      NULL,
      (const char *(*)(const void *, const char *))dlsym(NULL, "psl_registrable_domain"),
      (int (*)(const void *, const char *))dlsym(NULL, "psl_is_public_suffix"),
      (void (*)(void *))dlsym(NULL, "psl_free"),
  };
  if (!latest || !builtin || !found.registrable || !found.is_suffix || !found.release) return found;
  // As libcurl does: the system's list, else the one within the library.
  found.list = latest(NULL);
  if (!found.list) found.list = builtin();
  return found;
}
static inline const char *jobrun_registrable_domain(jobrun_suffixes suffixes, const char *domain) {
  return suffixes.list ? suffixes.registrable(suffixes.list, domain) : NULL;
}
static inline int jobrun_is_public_suffix(jobrun_suffixes suffixes, const char *domain) {
  return suffixes.list && suffixes.is_suffix(suffixes.list, domain);
}
static inline void jobrun_release_suffixes(jobrun_suffixes suffixes) {
  if (suffixes.list) suffixes.release(suffixes.list);
}
