import type { NamesByGroup } from './meanings.ts';

/** Column names in Polish, Turkish and Japanese. */
export const otherNames: NamesByGroup = {
  Polish: {
    name: 'Imię i nazwisko | Nazwisko i imię | Imię nazwisko | Nazwisko, imię | Pełne imię i nazwisko | Pełna nazwa | Osoba kontaktowa | Imię i nazwisko kontaktu | Nazwa kontaktu | Twoje imię i nazwisko',
    'name?': 'Kontakt | Klient | Uczestnik | Nazwa | Osoba',
    'name.first': 'Imię | Imiona | Pierwsze imię',
    'name.middle': 'Drugie imię',
    'name.last': 'Nazwisko',
    'name.prefix': 'Zwrot grzecznościowy | Forma grzecznościowa | Tytuł grzecznościowy | Prefiks',
    email:
      'Adres e-mail | Adres email | Poczta elektroniczna | Adres poczty elektronicznej | E-mail służbowy | E-mail prywatny | E-mail firmowy | Twój e-mail',
    phone:
      'Telefon | Numer telefonu | Nr telefonu | Nr tel. | Telefon komórkowy | Komórka | Numer komórkowy | Telefon stacjonarny | Telefon służbowy | Telefon prywatny | Telefon kontaktowy | Telefon do pracy',
    company:
      'Firma | Nazwa firmy | Przedsiębiorstwo | Organizacja | Nazwa organizacji | Spółka | Pracodawca | Nazwa przedsiębiorstwa',
    title: 'Stanowisko | Stanowisko pracy | Funkcja | Zawód | Rola | Pozycja',
    'title?': 'Tytuł',
    status: 'Status | Status leada | Stan | Etap | Etap sprzedaży | Faza | Status kontaktu',
    source: 'Źródło | Źródło leada | Pochodzenie | Źródło kontaktu | Źródło pozyskania | Skąd nas znasz',
    tags: 'Tagi | Etykiety | Etykieta | Kategorie | Kategoria | Słowa kluczowe',
    'value.amount':
      'Kwota | Wartość szansy | Wartość transakcji | Szacowana wartość | Oczekiwany przychód | Wartość umowy',
    'value.amount?': 'Wartość | Cena | Przychód',
    'value.currency': 'Waluta | Kod waluty',
    expected_close_on:
      'Data zamknięcia | Przewidywana data zamknięcia | Planowana data zamknięcia | Oczekiwana data zamknięcia | Spodziewana data zamknięcia',
    lost_reason: 'Powód utraty | Przyczyna utraty | Powód przegranej | Powód odrzucenia',
    external_id: 'Zewnętrzne ID | Identyfikator zewnętrzny | Zewnętrzny identyfikator',
    id: 'Numer klienta | Nr klienta | ID klienta | Identyfikator | Kod klienta',
    note: 'Notatka | Notatki | Uwagi | Uwaga | Komentarz | Komentarze | Wiadomość | Treść wiadomości | Opis',
    owner:
      'Właściciel | Opiekun | Osoba odpowiedzialna | Przypisany do | Handlowiec | Sprzedawca | Opiekun klienta | Właściciel kontaktu',
    created:
      'Utworzono | Data utworzenia | Data dodania | Dodano | Utworzony | Data rejestracji | Data zgłoszenia',
    other:
      'Strona internetowa | Strona www | WWW | Faks | Adres | Ulica | Miasto | Miejscowość | Kod pocztowy | Kraj | Województwo | Data urodzenia | Płeć | Język | Branża | Dział | NIP | REGON | Liczba pracowników | Data modyfikacji | Zmodyfikowano',
  },
  Turkish: {
    name: 'Ad Soyad | Adı Soyadı | Ad ve Soyad | İsim Soyisim | İsim Soyad | İsim | Adınız | Adınız Soyadınız | Tam ad | Tam adı | Kişi adı | İlgili kişi | Yetkili kişi | Yetkili | İletişim kişisi | Müşteri adı | Soyadı Adı',
    'name?': 'Ad | Adı | Kişi | Müşteri | Katılımcı | Aday',
    'name.first': 'Ön ad | Önad | İlk ad | İlk isim',
    'name.middle': 'İkinci ad | İkinci adı | Göbek adı | Orta ad',
    'name.last': 'Soyad | Soyadı | Soyisim | Soy isim | Soyadınız',
    'name.prefix': 'Hitap | Hitap şekli | Ön ek',
    email:
      'E-posta | Eposta | E-posta adresi | Eposta adresi | E-posta adresiniz | Mail adresi | Elektronik posta | İş e-postası | Kişisel e-posta | Kurumsal e-posta',
    phone:
      'Telefon | Telefon numarası | Telefon no | Telefonunuz | Cep | Cep telefonu | Cep no | Cep telefonu numarası | Cep numarası | GSM | GSM no | Mobil telefon | İş telefonu | Ev telefonu | Sabit telefon | İletişim numarası | İrtibat telefonu | İrtibat numarası',
    company:
      'Şirket | Şirket adı | Şirket ismi | Firma | Firma adı | Firma ismi | Kurum | Kurum adı | Kuruluş | Kuruluş adı | Organizasyon | İşletme | İşletme adı',
    title: 'Unvan | Unvanı | İş unvanı | Görev | Görevi | Pozisyon | Meslek | Rol',
    'title?': 'Başlık',
    status: 'Durum | Durumu | Aday durumu | Müşteri durumu | Aşama | Statü | Satış aşaması',
    source: 'Kaynak | Kaynağı | Müşteri kaynağı | Aday kaynağı | Köken | Bizi nereden duydunuz',
    tags: 'Etiketler | Etiket | Kategoriler | Kategori | Anahtar kelimeler',
    'value.amount':
      'Tutar | Miktar | Anlaşma değeri | Fırsat tutarı | Tahmini tutar | Beklenen gelir | Sözleşme tutarı',
    'value.amount?': 'Değer | Değeri | Fiyat | Gelir | Bedel',
    'value.currency': 'Para birimi | Döviz | Döviz cinsi | Para birimi kodu',
    expected_close_on:
      'Kapanış tarihi | Beklenen kapanış tarihi | Tahmini kapanış tarihi | Planlanan kapanış tarihi',
    lost_reason: 'Kayıp nedeni | Kaybetme nedeni | Kayıp sebebi | Kaybedilme nedeni | Red nedeni',
    external_id: 'Harici kimlik | Harici ID | Dış kimlik',
    id: 'Müşteri no | Müşteri numarası | Müşteri kodu | Kimlik | Kayıt no | Referans',
    note: 'Not | Notlar | Açıklama | Açıklamalar | Yorum | Yorumlar | Mesaj | Mesajınız',
    owner:
      'Sahibi | Sahip | Sorumlu | Sorumlu kişi | Atanan | Atanan kişi | Satış temsilcisi | Müşteri temsilcisi',
    created:
      'Oluşturma tarihi | Oluşturulma tarihi | Oluşturuldu | Kayıt tarihi | Eklenme tarihi | Zaman damgası',
    other:
      'Faks | Web sitesi | İnternet sitesi | Adres | Sokak | Cadde | Şehir | İl | İlçe | Posta kodu | Ülke | Bölge | Doğum tarihi | Cinsiyet | Dil | Sektör | Bölüm | Departman | Vergi no | Vergi dairesi | Çalışan sayısı | Güncelleme tarihi | Son güncelleme',
  },
  Japanese: {
    name: '氏名 | お名前 | 名前 | 姓名 | 担当者名 | ご担当者名 | 担当者 | 顧客名 | 連絡先名 | ご氏名',
    'name?': '連絡先 | 顧客 | お客様',
    'name.first': '名',
    'name.middle': 'ミドルネーム',
    'name.last': '姓 | 苗字 | 名字',
    'name.prefix': '敬称',
    email: 'メール | メールアドレス | Eメール | 電子メール | Eメールアドレス | 電子メールアドレス',
    phone:
      '電話 | 電話番号 | 携帯 | 携帯電話 | 携帯番号 | 携帯電話番号 | 連絡先電話番号 | 固定電話 | 会社電話 | 勤務先電話',
    company:
      '会社 | 会社名 | 企業 | 企業名 | 組織 | 組織名 | 団体名 | 法人名 | 貴社名 | 御社名 | 勤務先 | 勤務先名 | 取引先 | 取引先名',
    title: '役職 | 役職名 | 肩書 | 肩書き | 職種 | 職位 | 職業',
    status: 'ステータス | 状態 | 状況 | リードステータス | リード状況 | フェーズ | 商談フェーズ',
    source: 'ソース | リードソース | 流入元 | 参照元 | 経路 | きっかけ | 情報源',
    tags: 'タグ | ラベル | カテゴリ | カテゴリー | 分類',
    'value.amount': '金額 | 商談金額 | 見込金額 | 受注金額',
    'value.amount?': '価格 | 売上',
    'value.currency': '通貨 | 通貨コード',
    expected_close_on: '完了予定日 | 成約予定日 | 受注予定日 | クローズ予定日',
    lost_reason: '失注理由',
    external_id: '外部ID',
    id: '顧客番号 | 顧客ID | 会員番号 | レコードID',
    note: '備考 | メモ | コメント | メッセージ | 内容 | お問い合わせ内容 | 説明',
    owner: '所有者 | 営業担当 | 営業担当者 | 責任者 | リード所有者',
    created: '作成日 | 作成日時 | 登録日 | 登録日時 | タイムスタンプ',
    other:
      'FAX | FAX番号 | 住所 | 郵便番号 | 都道府県 | 市区町村 | 国 | 生年月日 | 性別 | 言語 | 業種 | 業界 | 部署 | 部署名 | ウェブサイト | フリガナ | ふりがな | カナ | 従業員数 | 更新日 | 更新日時',
  },
};
